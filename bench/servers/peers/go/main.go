// The peer on the Go SDK: peer TOOLS [PORT], over standard input and output, or HTTP with sessions and answers as JSON,
// which costs it least.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type place struct {
	Place string `json:"place" jsonschema:"Where to look: a name, or a path"`
	Depth int    `json:"depth,omitempty" jsonschema:"How far to go"`
}

func look(part int) mcp.ToolHandlerFor[place, any] {
	return func(_ context.Context, _ *mcp.CallToolRequest, at place) (*mcp.CallToolResult, any, error) {
		text := fmt.Sprintf("part %d at %s, %d deep", part, at.Place, at.Depth)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
	}
}

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "peer", Version: "1.0.0"}, &mcp.ServerOptions{PageSize: 1000})
	tools, _ := strconv.Atoi(os.Args[1])
	for i := 0; i < tools; i++ {
		mcp.AddTool(server, &mcp.Tool{
			Name: fmt.Sprintf("tool_%04d", i),
			Description: fmt.Sprintf("Looks into part %d of what the system says of itself, "+
				"and tells what it found there.", i),
		}, look(i))
	}
	if len(os.Args) < 3 {
		log.Fatal(server.Run(context.Background(), &mcp.StdioTransport{}))
	}
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{JSONResponse: true})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[2], handler))
}
