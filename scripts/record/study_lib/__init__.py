"""Parts of scripts/record/select_study."""
