#if Tools
import Tarmac
import TarmacNIO
import TarmacTesting
import TarmacURLSession
import Testing

/// One of the transports this package brings, with what it is known not to do.
struct TransportUnderTest: Sendable, CustomTestStringConvertible {
    let factory: TransportFactory
    let exclusions: [TransportConformance.Case: String]

    var testDescription: String { factory.name }

    static let asyncHTTPClient = TransportUnderTest(factory: .asyncHTTPClient, exclusions: [:])
    static let urlSession = TransportUnderTest(factory: .urlSession, exclusions: [:])
}
#endif
