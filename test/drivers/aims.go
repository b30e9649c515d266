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
		for _, l := range []load{r.first, r.refresh, r.calls, r.storm} {
			failed, all = failed+l.Bad, all+l.Bad+l.Good
		}
	}
	t := figures.NewTable("aim", "measured", "reached")
	ours, measured := by["curl"]
	if pgsql, ok := by["pgsql"]; ok && measured {
		times := ours.median().took.Seconds() / pgsql.median().took.Seconds()
		t.Row("boot with the default listing at most 1.1 times that of res_config_pgsql", fmt.Sprintf("%.2f", times), figures.YesNo(times <= 1.1))
	}
	for _, key := range []string{"none", "many"} {
		if r, ok := by[key]; ok {
			took := r.median().took
			t.Row(fmt.Sprintf("boot with listing none, %d endpoints, in less than 3 s", r.phones), seconds(took), figures.YesNo(took < 3*time.Second))
		}
	}
	if r, ok := by["storm"]; ok {
		t.Row(fmt.Sprintf("no failure in a storm of %d first REGISTERs", r.phones), fmt.Sprint(r.phones-r.storm.Good), figures.YesNo(r.storm.Good == r.phones))
	}
	t.Row("no failure in any load", fmt.Sprintf("%d of %d", failed, all), figures.YesNo(failed == 0))
	return t.String()
}
