// expected: cannot convert value of type 'Int' to expected argument type 'Duration'
import Tarmac

func configure(_ options: inout Options) { options.cache = .ttl(180) }
