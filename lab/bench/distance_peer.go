package bench

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/rgm-go/rgm/datasets/edited"
)

// askPeer gives pairs to a command, NAME=COMMAND, without what is known of them: a pair a line on its standard input, and
// the seconds of a pair as its last argument. It prints a claim a line, of id, map, seconds and, where it knows them, lower
// and proved. Pairs that it does not know how to measure it leaves out.
func askPeer(ctx context.Context, peer string, all []edited.Pair, limit time.Duration, take func(DistanceClaim) error) error {
	name, command, _ := strings.Cut(peer, "=")
	words := append(strings.Fields(command), fmt.Sprint(limit.Seconds()))
	var pairs, wrong bytes.Buffer
	of := map[string]*edited.Pair{}
	lines := json.NewEncoder(&pairs)
	for k := range all {
		p := all[k]
		of[p.ID] = &all[k]
		p.Map, p.Best, p.Proved = nil, 0, false
		if err := lines.Encode(p); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, peerPatience+2*time.Duration(len(all))*limit)
	defer cancel()
	run := exec.CommandContext(ctx, words[0], words[1:]...)
	run.Stdin, run.Stderr = &pairs, &wrong
	out, err := run.Output()
	if err != nil {
		return fmt.Errorf("%s: %w: %.300s", command, cmp.Or(ctx.Err(), err), wrong.String())
	}
	claims := json.NewDecoder(bytes.NewReader(out))
	for {
		c := DistanceClaim{}
		err := claims.Decode(&c)
		if errors.Is(err, io.EOF) {
			return nil
		}
		c.Method, c.Limit, c.pair = name, limit.Seconds(), of[c.ID]
		if err == nil && c.pair == nil {
			err = fmt.Errorf("%q is no pair, or comes twice", c.ID)
		}
		delete(of, c.ID)
		if err == nil {
			if c.Cost, err = costOf(c.pair, c.Map); err != nil {
				err = fmt.Errorf("%s: %w", c.ID, err)
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", command, err)
		}
		if err := take(c); err != nil {
			return err
		}
	}
}
