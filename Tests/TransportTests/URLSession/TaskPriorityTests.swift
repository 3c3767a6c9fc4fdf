import Dispatch
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

/// Notes the priority of each task and fails it.
private final class PriorityProtocol: URLProtocol {
    static let told = Watched<[Float]>([])

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func startLoading() {
        // The task answers on a queue of its own.
        if let task { DispatchQueue.global().async { Self.told.update { $0.append(task.priority) } } }
        client?.urlProtocol(self, didFailWithError: URLError(.cannotConnectToHost))
    }
    override func stopLoading() {}
}

@Suite(.timeLimit(.minutes(5))) struct TaskPriorityTests {
    // YTK-14
    @Test func everyPriorityHasItsPlace() {
        let values = CallPriority.allCases.sorted().map(TaskPriority.value)
        #expect(values == [URLSessionTask.lowPriority, URLSessionTask.defaultPriority, URLSessionTask.highPriority])
        #expect(values == values.sorted())
    }

    // YTK-14: the queue of a host goes by the priority of the exchange.
    @Test func theQueueOfAHostGoesByThePriorityOfTheExchange() async throws {
        let (hosts, started, time) = (HostQueues(limit: 1), Watched<[Int]>([]), ManualTime())
        let flights = try [CallPriority.normal, .low, .high].map { priority in
            let exchange = Exchange(delivery: .collected(limit: 1), priority: priority, time: time, now: time.moment, observe: nil)
            return SessionTask(Request(.get, try HTTPURL("http://s.example/")), exchange: exchange, canceller: TaskCanceller(), hosts: hosts)
        }
        for (index, flight) in flights.enumerated() { hosts.enter(flight) { started.update { $0.append(index) } } }
        #expect(started.value == [0])
        hosts.finish(flights[0])
        try await started.wait { $0.count == 2 }
        #expect(started.value == [0, 2])
        hosts.withdraw(flights[1])
    }

    // YTK-14: the task has the priority of its exchange.
    @Test func aTaskHasThePriorityOfItsExchange() async throws {
        let (settings, time, canceller) = (try SessionSettings(ConnectionSettings()), ManualTime(), TaskCanceller())
        let configuration = settings.configuration
        configuration.protocolClasses = [PriorityProtocol.self]
        let session = PooledSession(configuration, settings.answers) { _, _ in }
        let request = URLRequest(url: try #require(URL(string: "http://s.example/")))
        let exchange = Exchange(delivery: .collected(limit: 1), priority: .high, time: time, now: time.moment, observe: nil)
        let flight = SessionTask(Request(.get, try HTTPURL("http://s.example/")), exchange: exchange, canceller: canceller)
        _ = try? await flight.land { body in _ = session.start(flight, request, body, canceller: canceller) }
        try await PriorityProtocol.told.wait { !$0.isEmpty }
        #expect(PriorityProtocol.told.value == [URLSessionTask.highPriority])
        session.close()
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
        let error = await #expect(throws: TarmacError.self) { try await client.get("/") { $0.networkAccess = NetworkAccess(allowsCellular: false) } }
        #expect(error?.code == .unsupported && error?.reason.contains("networkAccess") == true)
    }
    #endif
}
