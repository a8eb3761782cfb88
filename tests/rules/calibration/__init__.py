"""How often verdicts and findings are right, by grade, on recorded logs whole, thinned and damaged."""
