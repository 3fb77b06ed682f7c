package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rgm-go/rgm/cli/settings"
	"github.com/rgm-go/rgm/internal/atomicfile"
	"github.com/rgm-go/rgm/lab/site"
)

// siteSettings are the settings of rgm-lab site.
type siteSettings struct {
	Pages bool `mapstructure:"pages"`
}

func newSite() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "site DIR",
		Short: "Make a site of the documentation",
		Long: `Make static pages of the repository's documentation, for any web server: with navigation, a
search, and the playground, the page that matches and solves in the reader's browser. They ask for
nothing outside DIR. The command runs in the root of the repository; the playground needs bash and openssl.`,
		Example: `  rgm-lab site public
  rgm-lab site --pages public     # without the playground, in a second`,
		Args: settings.Arguments(cobra.ExactArgs(1)),
		RunE: settings.Merged(func(cmd *cobra.Command, s siteSettings, args []string) error {
			pages, err := site.Build(".", args[0])
			if err != nil {
				return settings.Usage(err)
			}
			if !s.Pages {
				if err := makePlayground(cmd.Context(), filepath.Join(args[0], site.Playground)); err != nil {
					return fmt.Errorf("site: the playground: %w", err)
				}
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%d pages: %s\n", pages, filepath.Join(args[0], "index.html"))
			return nil
		}),
	}
	cmd.Flags().Bool("pages", false, "leave the playground out")
	return cmd
}

// makePlayground makes the page that computes in the browser, with a way back to the site.
func makePlayground(ctx context.Context, dir string) error {
	if out, err := exec.CommandContext(ctx, "web/build", "--site", dir).CombinedOutput(); err != nil {
		return fmt.Errorf("web/build: %w\n%s", err, out)
	}
	file := filepath.Join(dir, "index.html")
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	const title = "<h1>rgm</h1>"
	return atomicfile.Write(file, atomicfile.Bytes([]byte(strings.Replace(string(text), title, `<h1><a href="../index.html">rgm</a></h1>`, 1))))
}
