// expected: cannot assign value of type 'Int' to type 'TimeLimit'
import Tarmac

func configure(_ options: inout Options) { options.timeout = 10 }
