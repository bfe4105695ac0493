"""aikg: a knowledge-graph rules engine for AI-cluster designs."""
