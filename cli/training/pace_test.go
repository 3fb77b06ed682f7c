package training

import (
	"strings"
	"testing"
	"time"

	"github.com/rgm-go/rgm/train"
)

// TestPace: 1000 episodes at 10 a second from the first update on, which comes
// after 2 s and 100 episodes.
func TestPace(t *testing.T) {
	at := func(limit time.Duration, seconds int) (*pace, time.Duration, train.Progress) {
		p := newPace(train.Progress{TotalEpisodes: 1000}, limit)
		var now train.Progress
		for s := range seconds + 1 {
			now = train.Progress{TotalEpisodes: 1000, Episodes: 50 * s}
			if s >= 2 {
				now.Episodes, now.Updates = 100+10*(s-2), 1+20*(s-2)
			}
			p.observe(time.Duration(s)*time.Second, now)
		}
		return p, time.Duration(seconds) * time.Second, now
	}
	for _, test := range []struct {
		limit   time.Duration
		seconds int
		left    time.Duration // −1 is unknown
		expects int           // 0 is no warning
	}{
		{0, 1, -1, 0},
		{0, 4, -1, 0}, // measured for two seconds only
		{0, 12, 80 * time.Second, 0},
		{30 * time.Second, 1, 29 * time.Second, 0},
		{30 * time.Second, 12, 18 * time.Second, 380},
		{200 * time.Second, 8, 84 * time.Second, 0},
		{200 * time.Second, 12, 80 * time.Second, 0}, // the episodes are up first
	} {
		p, elapsed, now := at(test.limit, test.seconds)
		left, known := p.remaining(elapsed, now)
		if !known {
			left = -1
		}
		if left != test.left {
			t.Errorf("limit %v, after %d s: %v left, want %v", test.limit, test.seconds, left, test.left)
		}
		if episodes, short := p.fallsShort(elapsed, now); short != (test.expects > 0) || short && episodes != test.expects {
			t.Errorf("limit %v, after %d s: falls short %v, %d episodes, want %d", test.limit, test.seconds, short, episodes, test.expects)
		}
		if share := p.share(elapsed, now); share < 0 || share > 1 {
			t.Errorf("share %v", share)
		}
	}
	p, elapsed, now := at(30*time.Second, 12)
	if text := p.text(elapsed, now); !strings.HasPrefix(text, "200 of 1000 episodes, 201 updates (20/s), ε 0.00") || !strings.HasSuffix(text, "18s left") {
		t.Errorf("text %q", text)
	}
	if share := p.share(elapsed, now); share != 0.4 {
		t.Errorf("12 of 30 s are %v", share)
	}
}
