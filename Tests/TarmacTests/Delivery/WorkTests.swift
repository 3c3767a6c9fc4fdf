import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacGroups
@testable import TarmacTransfer

private struct Film: Endpoint, Encodable {
    typealias Value = Void
    static let route: Route = .get("/films/{id}")
    var id: Int
}

private struct SetAvatar: Endpoint, Encodable {
    typealias Value = Number
    static let route: Route = .put("/avatars/{id}")
    var id: Int
}

@MainActor
private final class FilmScreen: LifetimeOwner {
    nonisolated let lifetime = Lifetime()
    nonisolated let landings = Watched<[String]>([])
    var received: [Int64] = []
    var sent: [Int64] = []

    func note<Value>(_ result: Result<Value, any Error>) {
        let text =
            switch result {
            case .success(let file as DownloadedFile): FilePlaceName.last(file.path)
            case .success(let value): "\(value)"
            case .failure(is CancellationError): "cancelled"
            case .failure(let error): (error as? TarmacError)?.code.name ?? "foreign"
            }
        landings.update { $0.append(text) }
    }

    func filmLanded(_ result: Result<DownloadedFile, any Error>) { note(result) }
}

private enum FilePlaceName {
    static func last(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }
}

/// What every verb does with every work.
@MainActor
@Suite("Works", .timeLimit(.minutes(5)))
struct WorkTests {
    private let bytes = noise(5000)
    private let avatar = Body.data(Data(noise(2000)))

    /// Films of 5,000 bytes, avatars and numbers.
    private func stub(_ film: StubFile) -> StubTransport {
        StubTransport { request in
            if request.url.path.hasPrefix("/films") { return film.answer(request) }
            return .json(#"{"n":\#(request.url.path.split(separator: "/").last ?? "0")}"#)
        }
    }

    @Test func everyVerbTakesEveryWork() async throws {
        let stub = stub(StubFile(bytes)), client = Client(stub), screen = FilmScreen()
        try await withFolder { folder in
            #expect(try await client.send(Item(id: 7)).n == 7)
            let told = Watched<[Double?]>([])
            let film = try await client.send(Download(Film(id: 1), to: "\(folder)/a"), progress: { progress in told.update { $0.append(progress.fraction) } })
            #expect(content(film.path) == bytes && told.value.last == 1)

            client.start(Upload(avatar, to: SetAvatar(id: 3)), owner: screen, progress: { owner, progress in owner.sent.append(progress.sent) }) {
                owner, result in owner.note(result.map(\.n))
            }
            try await screen.landings.wait { $0 == ["3"] }
            #expect(screen.sent.last == 2000)

            let held = client.call(Download(Film(id: 1), to: "\(folder)/b"), owner: screen, landed: FilmScreen.filmLanded)
            held.start()
            try await screen.landings.wait { $0 == ["3", "b"] }
            #expect(held.hasSucceeded && content("\(folder)/b") == bytes)

            let works: [any Work] = [
                Item(id: 7), Download(Film(id: 1), to: "\(folder)/c"), Upload(avatar, to: SetAvatar(id: 4)), Download(Film(id: 1), to: "/no/where"),
            ]
            let counted = Watched<[GroupProgress]>([])
            let mixed = try await client.send(Batch(works), progress: { progress in counted.update { $0.append(progress) } })
            #expect(mixed[0].value(as: Number.self)?.n == 7 && mixed[1].value(as: DownloadedFile.self)?.path == "\(folder)/c")
            #expect(mixed[2].value(as: Number.self)?.n == 4 && mixed[3].error?.code == .unwritableFile && mixed[3].error?.member?.index == 3)
            #expect(counted.value.last == GroupProgress(completed: 4, failed: 1, total: 4))

            let (number, file) = try await client.send(Batch(Item(id: 5), Download(Film(id: 1), to: "\(folder)/d")))
            #expect(number.n == 5 && content(file.path) == bytes)

            var graph = RequestGraph()
            let me = graph.add(Item(id: 9))
            let set = graph.add(after: me) { [avatar] in Upload(avatar, to: SetAvatar(id: $0.n)) }
            #expect(try await client.send(graph)[set].n == 9)
            let chain = RequestChain(Upload(avatar, to: SetAvatar(id: 2))).then { Download(Film(id: $0.n), to: "\(folder)/e") }
            #expect(content(try await client.send(chain).path) == bytes)
            let nested = try await client.send(Batch(chain, Batch(Item(id: 1), Item(id: 2))))
            #expect(nested.1.1.n == 2)
        }
    }

    @Test func aHeldDownloadStartsAgainAfterPauseAndCancel() async throws {
        let file = StubFile(bytes), gate = Watched(false), screen = FilmScreen()
        file.breakOff(after: [3000])
        let stub = StubTransport { request in
            if request.headers.contains(.range) { try await gate.wait { $0 } }
            return file.answer(request)
        }
        let client = Client(stub)
        try await withFolder { folder in
            let film = client.call(
                Download(Film(id: 1), to: "\(folder)/f"), owner: screen, progress: { $0.received.append($1.received) }, landed: FilmScreen.filmLanded)
            film.start()
            try await stub.received(count: 2)
            film.pause()
            #expect(film.isPaused && film.isFlying)
            try await stub.isIdle()
            // The bytes are kept for the rest.
            #expect(names(folder).count == 1)
            film.cancel()
            #expect(!film.isPaused && !film.isFlying)
            try await screen.landings.wait { $0 == ["cancelled"] }
            await eventually { names(folder).isEmpty }

            file.breakOff(after: [3000])
            film.start()
            try await stub.received(count: 4)
            film.pause()
            try await stub.isIdle()
            gate.update { $0 = true }
            // Starting a paused call continues it.
            film.start()
            try await screen.landings.wait { $0 == ["cancelled", "f"] }
            #expect(content("\(folder)/f") == bytes && names(folder) == ["f"])
            #expect(stub.requests.last?.headers[.range] == "bytes=3000-")
            #expect(screen.received.last == 5000)
        }
    }

    @Test func aHeldDownloadStartsAgainInTheTurnThatCancelsIt() async throws {
        let stub = stub(StubFile(bytes)), client = Client(stub), screen = FilmScreen()
        stub.hold()
        try await withFolder { folder in
            let film = client.call(Download(Film(id: 1), to: "\(folder)/f"), owner: screen, landed: FilmScreen.filmLanded)
            film.start()
            try await stub.received()
            film.cancel()
            film.start()
            stub.release()
            try await screen.landings.wait { $0.count == 2 }
            #expect(screen.landings.value.sorted() == ["cancelled", "f"] && film.hasSucceeded)
            #expect(content("\(folder)/f") == bytes && names(folder) == ["f"])
        }
    }

    @Test func progressReachesAnOwnerAndNoneThatIsGone() async throws {
        let file = StubFile(bytes), gate = Watched(false)
        let stub = StubTransport { request in
            try await gate.wait { $0 }
            return file.answer(request)
        }
        let client = Client(stub), told = Locked(0)
        try await withFolder { folder in
            var screen: FilmScreen? = FilmScreen()
            weak let left = screen
            let handle = client.start(Download(Film(id: 1), to: "\(folder)/f"), owner: screen!, progress: { _, _ in told.withLock { $0 += 1 } }) { _, _ in
                Issue.record("it landed")
            }
            try await stub.received()
            screen = nil
            #expect(left == nil)
            let before = told.withLock { $0 }
            gate.update { $0 = true }
            await eventually { handle.hasLanded }
            for _ in 0..<50 { await Task.yield() }
            #expect(told.withLock { $0 } == before)
            await eventually { names(folder).isEmpty }

            let living = FilmScreen()
            client.start(Download(Film(id: 1), to: "\(folder)/f"), owner: living, progress: { $0.received.append($1.received) }) { $0.note($1) }
            try await living.landings.wait { $0 == ["f"] }
            #expect(living.received.last == 5000 && living.received == living.received.sorted())
        }
    }

    @Test func pausingAGroupPausesItsTransfers() async throws {
        let file = StubFile(bytes), gate = Watched(false), screen = FilmScreen()
        let stub = StubTransport { request in
            try await gate.wait { $0 }
            return file.answer(request)
        }
        let client = Client(stub)
        try await withFolder { folder in
            let films = (1...3).map { Download(Film(id: $0), to: "\(folder)/\($0)") }
            let handle = client.start(Batch(allOrNothing: films), owner: screen) { $0.note($1.map(\.count)) }
            try await stub.received(count: 3)
            handle.pause()
            #expect(handle.isPaused)
            try await stub.isIdle()
            gate.update { $0 = true }
            for _ in 0..<50 { await Task.yield() }
            #expect(screen.landings.value.isEmpty && stub.requests.count == 3)
            handle.resume()
            try await screen.landings.wait { $0 == ["3"] }
            #expect(!handle.isPaused && stub.requests.count == 6)
        }
    }

    private struct Gated: Interceptor {
        let gate: Watched<Bool>
        nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
            _ = try await gate.wait { $0 }
            return try await chain.proceed(request)
        }
    }

    @Test func aWorkIsPausedBeforeItBegins() async throws {
        let stub = stub(StubFile(bytes)), client = Client(stub), screen = FilmScreen()
        try await withFolder { folder in
            let gate = Watched(false)
            let handle = client.start(Download(Film(id: 1), to: "\(folder)/f"), owner: screen, configure: { $0.interceptors = [Gated(gate: gate)] }) {
                $0.note($1)
            }
            handle.pause()
            gate.update { $0 = true }
            await eventually { client.engine.callsInFlight.count == 1 }
            for _ in 0..<50 { await Task.yield() }
            #expect(stub.requests.isEmpty)
            handle.resume()
            try await screen.landings.wait { $0 == ["f"] }
        }
    }

    @Test func slotsAndCancellationsFindEveryWork() async throws {
        let stub = stub(StubFile(bytes)), client = Client(stub), screen = FilmScreen()
        stub.hold()
        try await withFolder { folder in
            let slot = CallSlot(.queue)
            slot.start(Download(Film(id: 1), to: "\(folder)/f"), on: client, owner: screen, configure: { $0.tags = ["film"] }) { $0.note($1) }
            slot.start(Upload(avatar, to: SetAvatar(id: 1)), on: client, owner: screen, configure: { $0.tags = ["avatar"] }) { $0.note($1) }
            client.cancelAll(tagged: "avatar")
            try await screen.landings.wait { $0 == ["cancelled"] }
            client.cancelAll(tagged: "film")
            try await screen.landings.wait { $0 == ["cancelled", "cancelled"] }
            client.start(Upload(avatar, to: SetAvatar(id: 1)), owner: screen) { $0.note($1) }
            client.cancelAll(to: .clientDefault)
            try await screen.landings.wait { $0.count == 3 && $0.last == "cancelled" }
        }
    }

    @Test func aServiceAndTheSettingsOfTheCallReachEveryMember() async throws {
        let stub = stub(StubFile(bytes))
        let shop = Service("shop", host: "https://shop.example")
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example"), shop])
        try await withFolder { folder in
            let batch = Batch(Item(id: 1), Download(Film(id: 1), to: "\(folder)/f"), Upload(avatar, to: SetAvatar(id: 1))) {
                $0.headers["X-One"] = "batch"
                $0.headers["X-Two"] = "batch"
            }
            _ = try await client[shop].send(batch) { $0.headers["X-One"] = "call" }
            #expect(stub.requests.allSatisfy { $0.url.host == "shop.example" } && stub.requests.count == 3)
            #expect(stub.requests.allSatisfy { $0.headers[HTTPField.Name("X-One")!] == "call" && $0.headers[HTTPField.Name("X-Two")!] == "batch" })
        }
    }

    @Test func aRoomWritesAWork() async throws {
        let client = Client(stub(StubFile(bytes))), screen = FilmScreen(), counts = Watched<[Int]>([])
        let numbers = try await client.send(Twice(base: Item(id: 2)), progress: { count in counts.update { $0.append(count) } })
        #expect(numbers.map(\.n) == [2, 2] && counts.value == [1, 2])
        client.start(Batch([Twice(base: Item(id: 3))] as [any Work]), owner: screen) { $0.note($1.map { $0.count }) }
        try await screen.landings.wait { $0 == ["1"] }
        let call = client.call(ClientWork { try await $0.send(Item(id: 4)).n }, owner: screen) { screen in { screen.note($0) } }
        call.start()
        try await screen.landings.wait { $0 == ["1", "4"] }
    }

    /// A call of an upload has a response, as that of an endpoint.
    @Test func aHeldUploadLandsItsResponse() async throws {
        let client = Client(stub(StubFile(bytes))), screen = FilmScreen()
        let call = client.call(Upload(avatar, to: SetAvatar(id: 6)), owner: screen) { screen in { screen.note($0.map(\.n)) } }
        call.start()
        try await screen.landings.wait { $0 == ["6"] }
        #expect(call.landed?.status == .ok && call.landed?.value.n == 6)
    }
}
