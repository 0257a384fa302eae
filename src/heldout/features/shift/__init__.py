"""What weights and coverage share: two samples with the same columns, and what is counted on them."""
