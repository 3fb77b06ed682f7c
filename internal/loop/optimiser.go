package loop

import (
	"errors"
	"math"

	"github.com/rgm-go/rgm/internal/sealed"
	"github.com/rgm-go/rgm/models"
)

// Rate returns the learning rate of an update, which falls from its first to 0 as a cosine.
func Rate(first float64, update, updates int) float64 {
	return first * (1 + math.Cos(math.Pi*float64(update)/float64(updates))) / 2
}

// Decay takes a share off weights.
func Decay(weights []models.Parameter, share float64) {
	for _, w := range weights {
		for i := range w.Data {
			w.Data[i] *= float32(1 - share)
		}
	}
}

// RestoreOptimiser puts what a checkpoint held of an optimiser in the place of one of the
// same network.
func RestoreOptimiser(to, from *models.Adam) error {
	to.Updates = from.Updates
	return errors.Join(sealed.Restore(to.First, from.First), sealed.Restore(to.Second, from.Second))
}
