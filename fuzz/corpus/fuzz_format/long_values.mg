primes([2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103]).
page({/title : "A page with a title", /errors : ["first error", "second error"], /address : "https://example.org/"}).
matrix([[1, 0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0, 0]]).
a_predicate_with_a_long_name("and a first argument that is long as well, so it ends far right", [1, 2, 3, 4, 5, 6, 7]).
