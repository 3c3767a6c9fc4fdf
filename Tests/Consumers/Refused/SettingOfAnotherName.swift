// expected: value of type 'ConnectionSettings' has no member 'sessionClientConfiguration'
import Tarmac

let settings = ConnectionSettings { $0.sessionClientConfiguration = 2 }
