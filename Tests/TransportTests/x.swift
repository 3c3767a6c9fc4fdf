#if Tools
import Testing
import Hummingbird
import HummingbirdHTTP2
import HummingbirdTLS
@Test func x() {}
#endif
