// Package research is what rgm-lab has and rgm has not: networks, searches, learners and models that the
// paper compares with, or that lost. Whoever imports it has all of them; each is a package that
// registers itself, and an import here.
package research

import (
	_ "github.com/rgm-go/rgm/research/lcs"
	_ "github.com/rgm-go/rgm/research/learners"
	_ "github.com/rgm-go/rgm/research/matchers"
	_ "github.com/rgm-go/rgm/research/ngm"
	_ "github.com/rgm-go/rgm/research/paper"
	_ "github.com/rgm-go/rgm/research/pretrained"
	_ "github.com/rgm-go/rgm/research/rewriter"
)
