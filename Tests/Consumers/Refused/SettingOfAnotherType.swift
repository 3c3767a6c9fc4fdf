// expected: cannot assign value of type 'String' to type 'TimeLimit'
import Tarmac

func limit(_ options: inout Options) { options.timeout = "10" }
