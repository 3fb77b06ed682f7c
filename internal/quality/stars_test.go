package quality

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/rgm-go/rgm/compare"
	"github.com/rgm-go/rgm/datasets/graphs"
	"github.com/rgm-go/rgm/datasets/pairs"
	"github.com/rgm-go/rgm/infer"
	"github.com/rgm-go/rgm/internal/must"
	"github.com/rgm-go/rgm/models"
	"github.com/rgm-go/rgm/qap"
	"github.com/rgm-go/rgm/qap/profile"
)

// testdata/stars.csv holds where bright stars stand: right ascension and declination of the
// year 2000, to a tenth of a minute of time and a minute of arc, as every catalogue has them
// (Yale Bright Star Catalogue, Hipparcos). Positions are facts, which carry no copyright; the
// selection and the parts of the sky are this project's.

// star is a star by the unit vector to it.
type star struct {
	name, sky string
	at        [3]float64
}

func readStars(t testing.TB) []star {
	t.Helper()
	file := must.Get(os.Open("testdata/stars.csv"))(t)
	defer file.Close()
	rows := must.Get(csv.NewReader(file).ReadAll())(t)
	var stars []star
	for _, row := range rows[1:] {
		var v [4]float64
		for k := range v {
			v[k] = must.Get(strconv.ParseFloat(row[2+k], 64))(t)
		}
		if v[2] < 0 { // −8° 12′ is −8.2°
			v[3] = -v[3]
		}
		stars = append(stars, star{row[0], row[1], direction((v[0]+v[1]/60)*15, v[2]+v[3]/60)})
	}
	return stars
}

// direction is the unit vector of a right ascension and a declination in degrees.
func direction(ra, dec float64) [3]float64 {
	a, d := ra*math.Pi/180, dec*math.Pi/180
	return [3]float64{math.Cos(d) * math.Cos(a), math.Cos(d) * math.Sin(a), math.Sin(d)}
}

func dot(v, w [3]float64) float64 { return v[0]*w[0] + v[1]*w[1] + v[2]*w[2] }

func cross(v, w [3]float64) [3]float64 {
	return [3]float64{v[1]*w[2] - v[2]*w[1], v[2]*w[0] - v[0]*w[2], v[0]*w[1] - v[1]*w[0]}
}

func unit(v [3]float64) [3]float64 {
	length := math.Sqrt(dot(v, v))
	return [3]float64{v[0] / length, v[1] / length, v[2] / length}
}

// chart is a map of a part of the sky: stereographic from a direction, turned by an angle,
// with places to a step. Other charts of the same stars are stretched otherwise.
type chart struct {
	centre [3]float64
	turned float64
	step   float64 // of the scale, in which the celestial sphere has the radius 1
	leaves int     // each fifth star is not on it, from this one on
}

// draw returns the places of the stars of a chart, and which they are.
func (c chart) draw(stars []star) (points [][]float64, which []int) {
	east := unit(cross([3]float64{0, 0.1, 1}, c.centre))
	north := cross(c.centre, east)
	for k, s := range stars {
		if k%5 == c.leaves {
			continue
		}
		r := 2 / (1 + dot(s.at, c.centre))
		x, y := r*dot(s.at, east), r*dot(s.at, north)
		sin, cos := math.Sincos(c.turned)
		x, y = x*cos-y*sin, x*sin+y*cos
		points = append(points, []float64{math.Round(x/c.step) * c.step, math.Round(y/c.step) * c.step})
		which = append(which, k)
	}
	return points, which
}

// charts are pairs of charts of each part of the sky, drawn from two directions 20° apart,
// one to half a degree and one to a tenth of that. Two fifths of the stars are on one of both.
func charts(t testing.TB) []pairs.Pair {
	t.Helper()
	bySky := map[string][]star{}
	for _, s := range readStars(t) {
		bySky[s.sky] = append(bySky[s.sky], s)
	}
	rng := rand.New(rand.NewPCG(2031, 17))
	var list []pairs.Pair
	for _, sky := range []string{"bear", "hunter", "north", "lion"} {
		stars := bySky[sky]
		var middle [3]float64
		for _, s := range stars {
			for k, v := range s.at {
				middle[k] += v
			}
		}
		middle = unit(middle)
		aside := unit(cross(middle, [3]float64{0.3, 0.5, 0.2}))
		for turn := range 4 {
			angle := float64(turn) * math.Pi / 2
			sin, cos := math.Sincos(20 * math.Pi / 180)
			var centre [3]float64
			beside := cross(middle, aside)
			for k := range centre {
				centre[k] = cos*middle[k] + sin*(math.Cos(angle)*aside[k]+math.Sin(angle)*beside[k])
			}
			points1, which1 := chart{centre: middle, step: math.Pi / 3600, leaves: turn}.draw(stars)
			points2, which2 := chart{centre: centre, turned: 1 + angle, step: math.Pi / 360, leaves: (turn + 2) % 5}.draw(stars)
			truth := qap.NewMatching(len(which1))
			for i, k := range which1 {
				if a := slices.Index(which2, k); a >= 0 {
					truth[i] = a
				}
			}
			problem, err := compare.Design{}.Problem(context.Background(), graphs.Graph{Nodes: len(points1), Points: points1}, graphs.Graph{Nodes: len(points2), Points: points2})
			if err != nil {
				t.Fatal(err)
			}
			p := must.Get(pairs.Pair{Instance: problem.Instance, Truth: truth}.Relabelled(rng))(t)
			p.Name = sky + " " + strconv.Itoa(turn)
			list = append(list, p)
		}
	}
	return list
}

// chartFiles are where two charts of one part of the sky are for rgm match, whose test in
// cmd/rgm reads them. -update writes them.
const chartFiles = "../../cmd/rgm/testdata/stars/"

// TestChartFiles: the files hold two charts of the north, the stars by their names.
func TestChartFiles(t *testing.T) {
	var stars []star
	for _, s := range readStars(t) {
		if s.sky == "north" {
			stars = append(stars, s)
		}
	}
	for name, c := range map[string]chart{
		"first.csv":  {centre: direction(20, 70), step: math.Pi / 3600},
		"second.csv": {centre: direction(300, 75), turned: 1, step: math.Pi / 360, leaves: 2},
	} {
		points, which := c.draw(stars)
		rng := rand.New(rand.NewPCG(2031, uint64(len(name))))
		text := "star,x,y\n"
		for _, k := range rng.Perm(len(points)) {
			text += fmt.Sprintf("%s,%.4f,%.4f\n", stars[which[k]].name, points[k][0], points[k][1])
		}
		if *update {
			if err := errors.Join(os.MkdirAll(chartFiles, 0o777), os.WriteFile(chartFiles+name, []byte(text), 0o666)); err != nil {
				t.Fatal(err)
			}
		}
		if file, err := os.ReadFile(chartFiles + name); err != nil || string(file) != text {
			t.Errorf("%s is another (%v)", name, err)
		}
	}
}

func policyOnStars(t testing.TB, q networks) []value {
	return onPairs(t, charts(t), func(in *qap.Instance) (qap.Result, error) {
		in, err := learned(q, in)
		if err != nil {
			return qap.Result{}, err
		}
		return infer.Solve(context.Background(), models.QFunction(q["matching"]), in, options(in))
	})
}

func profileOnLearnedStars(t testing.TB, q networks) []value {
	return onPairs(t, charts(t), func(in *qap.Instance) (qap.Result, error) {
		in, err := learned(q, in)
		if err != nil {
			return qap.Result{}, err
		}
		return profile.Solver{}.Solve(context.Background(), in, qap.Options{Seed: 1})
	})
}

func profileOnStars(t testing.TB, _ networks) []value {
	return onPairs(t, charts(t), func(in *qap.Instance) (qap.Result, error) {
		return profile.Solver{}.Solve(context.Background(), in, qap.Options{Seed: 1})
	})
}
