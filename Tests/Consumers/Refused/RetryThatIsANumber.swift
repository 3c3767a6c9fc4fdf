// expected: cannot assign value of type 'Int' to type 'RetryRule'
import Tarmac

func configure(_ options: inout Options) { options.retry = 3 }
