// expected: cannot convert value of type 'String' to specified type 'Route'
import Tarmac

let route: Route = "/login"
