import Tarmac
import TarmacOutbox
import TarmacTesting
import Testing

@Suite struct MemoryOutboxStoreTests {
    @Test(arguments: OutboxStoreConformance.Case.allCases)
    func conforms(_ name: OutboxStoreConformance.Case) async throws {
        try await OutboxStoreConformance.run(name) { MemoryOutboxStore() }
    }
}
