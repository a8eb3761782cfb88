"""KR1xx: rules about pods parked in unschedulablePods."""
