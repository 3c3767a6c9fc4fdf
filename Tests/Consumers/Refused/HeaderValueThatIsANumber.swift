// expected: cannot assign value of type 'Int' to subscript of type 'String'
import Tarmac

func configure(_ options: inout Options) { options.headers["X-Page"] = 7 }
