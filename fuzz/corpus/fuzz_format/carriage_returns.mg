p(1). # one


# two	 
q(2).