package main

import (
	"fmt"
	"time"

	figures "asterism/test/report"
)

// aims says which of our aims a run has reached; one that it did not measure is
// left out.
func aims(results []result) string {
	by := map[string]result{}
	failed, all := 0, 0
	for _, r := range results {
		by[r.key] = r
		for _, l := range r.all() {
			failed, all = failed+l.Bad, all+l.Bad+l.Good
		}
	}
	t := figures.NewTable("aim", "measured", "reached")
	ours, measured := by["curl"]
	if pgsql, ok := by["pgsql"]; ok && measured {
		times := ours.median().took.Seconds() / pgsql.median().took.Seconds()
		t.Row("boot with the default listing at most 1.1 times that of res_config_pgsql", fmt.Sprintf("%.2f", times), figures.YesNo(times <= 1.1))
	}
	native(t, by)
	for _, key := range []string{"none", "many"} {
		if r, ok := by[key]; ok {
			took := r.median().took
			t.Row(fmt.Sprintf("boot with listing none, %d endpoints, in less than 3 s", r.phones), seconds(took), figures.YesNo(took < 3*time.Second))
		}
	}
	for _, key := range []string{"storm", "native-storm"} {
		if r, ok := by[key]; ok {
			t.Row(fmt.Sprintf("no failure in a storm of %d first REGISTERs, %s", r.phones, r.driver.Engine()), fmt.Sprint(r.phones-r.storm.Good), figures.YesNo(r.storm.Good == r.phones))
		}
	}
	t.Row("no failure in any load", fmt.Sprintf("%d of %d", failed, all), figures.YesNo(failed == 0))
	return t.String()
}

// native adds the aims of the module inside Asterisk.
func native(t *figures.Table, by map[string]result) {
	ours, measured := by["native"]
	if pgsql, ok := by["pgsql"]; ok && measured {
		times := ours.median().took.Seconds() / pgsql.median().took.Seconds()
		t.Row("boot with res_config_asterism at most 0.4 times that of res_config_pgsql", fmt.Sprintf("%.2f", times), figures.YesNo(times <= 0.4))
	}
	for _, cache := range []string{"", "-cache"} {
		ours, measured := by["native"+cache]
		if !measured {
			continue
		}
		for _, aim := range []struct {
			key   string
			times float64
		}{{"curl" + cache, 3}, {"odbc" + cache, 3}, {"pgsql" + cache, 2}, {"files", 0.5}} {
			peer, ok := by[aim.key]
			if !ok || peer.refresh.Good == 0 {
				continue
			}
			times := ours.refresh.perSecond() / peer.refresh.perSecond()
			t.Row(fmt.Sprintf("%s: at least %g times the refreshes of %s", ours.name, aim.times, peer.name), fmt.Sprintf("%.2f", times), figures.YesNo(times >= aim.times))
		}
		cpu := ours.refresh.each(ours.refresh.asterisk)
		t.Row(ours.name+": at most 1.3 ms of Asterisk's CPU for a refresh", fmt.Sprintf("%.2f", milliseconds(cpu)), figures.YesNo(cpu <= 1300*time.Microsecond))
	}
}
