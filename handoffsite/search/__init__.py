"""One project's index and what it answers: engines bring candidates, one ranker orders them."""
