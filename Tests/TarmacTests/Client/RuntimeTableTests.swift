import HTTPTypes
import Tarmac
import TarmacTesting
import Testing

@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

@Suite("Runtimes of many services")
struct RuntimeTableTests {
    private func services(_ count: Int) -> [Service] { (0..<count).map { Service("service-\($0)", host: Hosts("https://h\($0).example")) } }

    /// Growth is counted: names that are looked at.
    @Test(arguments: [1, 8, 9, 1_000])
    func aRuntimeIsFoundWithoutALookAtTheOthers(count: Int) throws {
        let services = services(count), client = Client(transport: .stub { _ in .status(.ok) }, services: services)
        var table = RuntimeTable()
        for service in services { table.add(try client.engine.makeRuntime(service, .production), named: service.name) }
        let before = table.steps
        for service in services { #expect(table.runtime(of: service.name)?.service == service) }
        #expect(table.steps - before <= 8 * count)
        #expect(table.runtime(of: "another") == nil)
        #expect(table.all.map(\.service) == services)
        withExtendedLifetime(client) {}
    }

    @Test(arguments: [1, 20])
    func theFirstServiceHasTwoNamesAndOneRuntime(count: Int) throws {
        let services = services(count), client = Client(transport: .stub { _ in .status(.ok) }, services: services)
        let first = try client.engine.runtime(.clientDefault)
        for service in services { #expect(try client.engine.runtime(service).service == service) }
        #expect(try client.engine.runtime(services[0]) === first)
        #expect(try client.engine.runtime(.clientDefault) === first)
        withExtendedLifetime(client) {}
    }
}
