import Foundation
import Tarmac
@testable import TarmacURLSession
import Testing
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// YTK-13, YTK-14.
@Suite struct TaskPriorityTests {
    @Test func everyPriorityHasItsPlace() {
        let values = CallPriority.allCases.sorted().map(TaskPriority.value)
        #expect(values == [URLSessionTask.lowPriority, URLSessionTask.defaultPriority, URLSessionTask.highPriority])
        #expect(values == values.sorted())
    }

    #if !canImport(Darwin)
    @Test func aCallThatMustNotUseTheCellularNetworkIsRefusedOnLinux() async throws {
        let client = Client(transport: .urlSession, services: [Service("s", host: "http://127.0.0.1:1")])
        let error = await #expect(throws: TarmacError.self) { try await client.get("/") { $0.allowsCellularAccess = false } }
        #expect(error?.code == .unsupported && error?.reason.contains("allowsCellularAccess") == true)
    }
    #endif
}
