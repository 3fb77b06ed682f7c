package train_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/rgm-go/rgm/datasets/qaplib"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/train"
	_ "github.com/rgm-go/rgm/train/learners" // so that it can be trained by them
	"github.com/rgm-go/rgm/train/sources"
)

// A training of a second on generated instances of 6 and 8 nodes. The checkpoint has all of it:
// the best network, which then matches an instance it never saw, and what train.Resume needs.
func Example() {
	ctx := context.Background()
	config, err := train.Preset("smoke")
	if err != nil {
		log.Fatal(err)
	}
	config.Episodes = 30
	source, err := sources.Open(config, nil)
	if err != nil {
		log.Fatal(err)
	}
	trainer, err := train.New(ctx, config, source)
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "train")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := trainer.Run(ctx, train.Options{Dir: dir}); err != nil {
		log.Fatal(err)
	}
	trained, err := train.Load(filepath.Join(dir, train.CheckpointFile))
	if err != nil {
		log.Fatal(err)
	}
	in, err := qaplib.Open("nug12")
	if err != nil {
		log.Fatal(err)
	}
	r, err := infer.Solve(ctx, models.QFunction(trained.Network), in, infer.Options{MaxSteps: 50})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("episodes:", trained.Episodes)
	fmt.Println("matched:", r.Matching.Size(), "of 12, found by", r.FoundBy)
	// Output:
	// episodes: 30
	// matched: 12 of 12, found by policy
}
