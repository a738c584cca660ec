"""Parts of scripts/select_study."""
