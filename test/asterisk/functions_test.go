package asterisk

import (
	"testing"

	"asterism/test/lab"
)

// TestDialplanFunctionsReadAndWriteRows: what an extension asks by REALTIME and its
// relatives are the rows, numbers included, and what it sets is in SQL and in its own
// next question.
func TestDialplanFunctionsReadAndWriteRows(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, release lab.Release) {
		home := lab.NewHome(t)
		// A semicolon inside a value is ^3B in SQL, as the SQL drivers of Asterisk have it.
		home.Load(t, "numbers", [][]string{
			{"number", "codecs", "note"},
			{"493001", "ulaw,alaw", "the bakery^3B rings & waits = 50% + ä"},
			{"493002", "g729", "kept"},
			{"493003", "gsm", "to go"},
			{"493004", "gsm", "to go too"},
			{"493005", "gsm", "to stay"},
		})
		node := home.Serve(t)
		a := release.Start(t, lab.Settings{Node: node.Asterisk, Families: []string{"numbers"}, Files: map[string]string{
			"extensions.conf": onTest(
				"exten => read,1,Set(GLOBAL(row)=${REALTIME(numbers,number,493001,|,:)})",
				"same => n,Set(HASH(entry)=${REALTIME_HASH(numbers,number,493001)})",
				"same => n,Set(GLOBAL(hash)=${HASH(entry,codecs)} of ${HASH(entry,number)}: ${HASH(entry,note)})",
				"same => n,Set(GLOBAL(alike)=${REALTIME_FIELD(numbers,number LIKE,4930%1,number)})",
				"same => n,Set(GLOBAL(absent)=[${REALTIME(numbers,number,1)}${REALTIME_FIELD(numbers,number,1,codecs)}])",
				"same => n,Set(GLOBAL(field)=${REALTIME_FIELD(numbers,number,493001,codecs)})",
				"exten => write,1,Set(REALTIME(numbers,number,493002,codecs)=g722,gsm)",
				"same => n,Set(REALTIME_FIELD(numbers,number,493002,note)=sold\\; a+b & c = 100%)",
				"same => n,Set(REALTIME(numbers,number,1,codecs)=nobody's)",
				"same => n,Set(REALTIME_STORE(numbers,number,codecs,note)=493009,\"ulaw,gsm\",stored)",
				"same => n,Set(GLOBAL(written)=${RTSTOREID}: ${REALTIME_FIELD(numbers,number,493002,codecs)} ${REALTIME_FIELD(numbers,number,493009,codecs)})",
				"exten => destroy,1,Set(GLOBAL(gone)=${REALTIME_DESTROY(numbers,number,493003,|,:)})",
				"same => n,Set(REALTIME_DESTROY(numbers,number,493004)=)",
				"same => n,Set(GLOBAL(after)=[${REALTIME(numbers,number,493003)}${REALTIME(numbers,number,493004)}])",
				"exten => wait,1,Wait(1)",
			),
		}})
		local(t, a, "read", "wait")
		globalIs(t, a, "field", "ulaw,alaw")
		globalIs(t, a, "row", "number:493001|codecs:ulaw,alaw|note:the bakery; rings & waits = 50% + ä|")
		globalIs(t, a, "hash", "ulaw,alaw of 493001: the bakery; rings & waits = 50% + ä")
		globalIs(t, a, "alike", "493001")
		globalIs(t, a, "absent", "[]")

		local(t, a, "write", "wait")
		globalIs(t, a, "written", "1: g722,gsm ulaw,gsm")
		local(t, a, "destroy", "wait")
		globalIs(t, a, "gone", "number:493003|codecs:gsm|note:to go|")
		globalIs(t, a, "after", "[]")
		sqlIs(t, home, "SELECT number, codecs, note FROM numbers ORDER BY number",
			"493001|ulaw,alaw|the bakery^3B rings & waits = 50% + ä\n493002|g722,gsm|sold^3B a+b & c = 100%\n493005|gsm|to stay\n493009|ulaw,gsm|stored")
		callsEnd(t, a)
		quiet(t, a)
		quietNode(t, node)
	})
}
