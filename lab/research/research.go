// Package research is what rgm-lab has and rgm has not: networks, searches, learners and models that the
// paper compares with, or that lost. Whoever imports it has all of them; each is a package that
// registers itself, and an import here.
package research

import (
	_ "github.com/rgm-go/rgm/lab/research/lcs"
	_ "github.com/rgm-go/rgm/lab/research/learners"
	_ "github.com/rgm-go/rgm/lab/research/matchers"
	_ "github.com/rgm-go/rgm/lab/research/ngm"
	_ "github.com/rgm-go/rgm/lab/research/paper"
	_ "github.com/rgm-go/rgm/lab/research/pretrained"
	_ "github.com/rgm-go/rgm/lab/research/rewriter"
)
