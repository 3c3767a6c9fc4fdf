// expected: missing argument for parameter 'transport' in call
import Tarmac

let client = Client(services: [])
