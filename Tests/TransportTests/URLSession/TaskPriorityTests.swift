import Foundation
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
@testable import TarmacURLSession
import Testing
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct TaskPriorityTests {
    // YTK-14
    @Test func everyPriorityHasItsPlace() {
        let values = CallPriority.allCases.sorted().map(TaskPriority.value)
        #expect(values == [URLSessionTask.lowPriority, URLSessionTask.defaultPriority, URLSessionTask.highPriority])
        #expect(values == values.sorted())
    }

    #if canImport(Darwin)
    // YTK-13: the system is told which networks the request may use.
    @Test(arguments: [true, false], [true, false])
    func aRequestNamesTheNetworksItMayUse(allowsCellular: Bool, allowsOthers: Bool) throws {
        var request = URLRequest(url: try #require(URL(string: "https://s.example/")))
        var access = NetworkAccess()
        (access.allowsCellular, access.allowsExpensive, access.allowsConstrained) = (allowsCellular, allowsOthers, !allowsOthers)
        Platform.restrict(&request, to: access)
        #expect(request.allowsCellularAccess == allowsCellular)
        #expect(request.allowsExpensiveNetworkAccess == allowsOthers && request.allowsConstrainedNetworkAccess != allowsOthers)
    }

    // YTK-13: the transport does so with the request it makes of a call.
    @Test(arguments: [true, false]) func theTransportRestrictsItsRequests(allowsCellular: Bool) async throws {
        let (time, transport) = (ManualTime(), try URLSessionTransport(ConnectionSettings()))
        var access = NetworkAccess()
        access.allowsCellular = allowsCellular
        let exchange = Exchange(delivery: .collected(limit: 1), networkAccess: access, time: time, now: time.moment, observe: nil)
        let request = try transport.prepare(Request(.get, HTTPURL("https://s.example/")), exchange)
        #expect(request.allowsCellularAccess == allowsCellular)
        await transport.shutdown()
    }

    @Test func aRequestMayUseEveryNetworkUnlessACallSaysOtherwise() throws {
        var request = URLRequest(url: try #require(URL(string: "https://s.example/")))
        Platform.restrict(&request, to: .all)
        #expect(request.allowsCellularAccess && request.allowsExpensiveNetworkAccess && request.allowsConstrainedNetworkAccess)
    }
    #else
    // YTK-13: libcurl cannot choose a network, so the call is refused.
    @Test func aCallThatMustNotUseTheCellularNetworkIsRefusedOnLinux() async throws {
        let client = Client(transport: .urlSession, services: [Service("s", host: "http://127.0.0.1:1")])
        let error = await #expect(throws: TarmacError.self) { try await client.get("/") { $0.allowsCellularAccess = false } }
        #expect(error?.code == .unsupported && error?.reason.contains("allowsCellularAccess") == true)
    }
    #endif
}
