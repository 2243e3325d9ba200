"""What stays up and answers: over MCP, over HTTP, on change."""
