import Tarmac
import TarmacTesting
import Testing

@MainActor
private final class Board: LifetimeOwner, CallDelegate {
    nonisolated let lifetime = Lifetime()
    var landed: [Bool] = []
    var onLanding: () -> Void = {}

    func callDidLand(_ call: AnyCall) {
        landed.append(call.hasSucceeded)
        onLanding()
    }
}

@MainActor
@Suite("Held calls", .timeLimit(.minutes(1)))
struct HeldCallTests {
    private let client = Client(
        transport: .stub { _ in .text("hello") }, services: [Service("s", host: "https://s.example")])

    @Test func aFlyingCallNobodyHoldsStillTellsItsDelegate() async {
        let board = Board()
        await withCheckedContinuation { continuation in
            board.onLanding = { continuation.resume() }
            client.call(.get("/", as: String.self), delegate: board).start()
        }
        #expect(board.landed == [true])
    }

    @Test func aLandedCallIsHeldByNobody() async {
        let board = Board()
        weak var call: Call<String>?
        await withCheckedContinuation { continuation in
            board.onLanding = { continuation.resume() }
            let made = client.call(.get("/", as: String.self), delegate: board)
            call = made
            made.start()
        }
        while call != nil { await Task.yield() }
        #expect(board.lifetime.callsInFlight == 0)
    }
}
