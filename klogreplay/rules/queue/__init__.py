"""KR104 to KR189 and KR2xx: upstream bugs of the queue beyond the three causes of wrong parkings."""
