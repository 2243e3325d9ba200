"""`python -m handoffsite`."""

import sys

from handoffsite.cli.main import main

sys.exit(main())
