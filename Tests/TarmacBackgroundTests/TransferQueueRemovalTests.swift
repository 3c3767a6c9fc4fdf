import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacBackground
@testable import TarmacTransfer

/// What a removed transfer leaves: nothing.
@Suite(.timeLimit(.minutes(5))) struct TransferQueueRemovalTests {
    private struct Tokens: Authenticator {
        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken { throw CancellationError() }
    }

    enum Moment: CaseIterable { case running, paused, relaunched, loggedOut }

    private func queue(_ client: Client, _ folder: String) -> TransferQueue<String> {
        TransferQueue(client: client, folder: "\(folder)/queue") { Download(.get("/\($0)"), to: "\(folder)/films/") }
    }

    @Test(arguments: Moment.allCases, [1, 3])
    func theBytesOfARemovedDownloadAreRemoved(moment: Moment, ranges: Int) async throws {
        try await withFolder { folder in
            for name in ["films", "ledger"] { try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true) }
            let file = StubFile(noise(50_000)), isCut = Locked(true), gate = Watched(false)
            let stub = StubTransport { request in
                let isFirst = isCut.withLock { isCut in
                    defer { isCut = isCut && (request.headers[.range]?.hasSuffix("-9999") == true && ranges > 1) }
                    return isCut
                }
                if !isFirst { try await gate.wait { $0 } }
                return file.answer(request)
            }
            file.breakOff(after: ranges > 1 ? [10_000, 3_000] : [30_000])
            let client = Client(stub) {
                $0.transferLedger = .folder("\(folder)/ledger")
                $0.authenticator = .init(Tokens())
                $0.resume = .automatic { $0.base = .zero }
                $0.download = DownloadRule { ($0.parallelRanges, $0.minimumRange) = (ranges, 10_000) }
            }
            try await client.logIn(AccessToken("ann", account: "ann"))
            var queue = Optional(queue(client, folder))
            try await queue?.add("film", id: "film")
            // A file of the app's beside it.
            try Data("mine".utf8).write(to: URL(filePath: "\(folder)/films/film.part"))
            await eventually { stub.inFlight > 0 && names("\(folder)/ledger").count == 1 && names("\(folder)/films").count > 1 }
            if moment != .running {
                try await queue?.pause("film")
                try await stub.isIdle()
                try await eventually { try await queue?.entries.first?.state == .paused && names("\(folder)/ledger").count == 1 }
            }
            if moment == .relaunched {
                queue = nil
                queue = self.queue(client, folder)
                try await eventually {
                    do { return try await queue?.entries.isEmpty == false } catch { return false }
                }
            }
            if moment == .loggedOut { try await client.logOut() }
            #expect(names("\(folder)/films").count > 1)
            try await queue?.remove("film")
            // Those of a run that has not ended are removed after its end.
            await eventually { names("\(folder)/films") == ["film.part"] && names("\(folder)/ledger") == [] }
            gate.update { $0 = true }
            // Another one under the ID begins from the beginning.
            if moment == .running {
                try await queue?.add("film", id: "film")
                await eventually { names("\(folder)/films") == ["film", "film.part"] }
            }
        }
    }

    /// Those of the others stay.
    @Test func onlyTheRemovedTransferIsForgotten() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(atPath: "\(folder)/films", withIntermediateDirectories: true)
            let file = StubFile(noise(5_000))
            file.breakOff(after: [3_000, 3_000])
            let stub = StubTransport { request in
                if request.headers.contains(.range) { _ = try await Watched(false).wait { $0 } }
                return file.answer(request)
            }
            let client = Client(stub) { ($0.transferLedger, $0.resume) = (.folder("\(folder)/ledger"), .automatic { $0.base = .zero }) }
            let queue = queue(client, folder)
            for name in ["a", "b"] { try await queue.add(name, id: name) }
            await eventually { stub.inFlight == 2 && names("\(folder)/ledger").count == 2 }
            try await queue.pause()
            try await stub.isIdle()
            try await eventually { try await queue.entries.allSatisfy { $0.state == .waiting } }
            try await queue.remove("a")
            #expect(names("\(folder)/films").map { $0.first } == ["b"])
            #expect(names("\(folder)/ledger").count == 1)
        }
    }
}
