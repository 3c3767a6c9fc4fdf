// QSPNetworking's own program: configure once, ask the geocoder, leave the screen right after calling.
import Support
import Tarmac
import TarmacJSON
import TarmacURLSession

/// Loading and errors, once for the whole app (QSPLoadConfig and QSPErrorConfig). A cancelled call is never presented.
// call site: QSP configure
final class HUDPresenter: Presenter {
    let stage: Stage
    init(_ stage: Stage) { self.stage = stage }
    func loadingBegan(_ loading: Loading) { stage.say("loading …") }
    func loadingEnded(_ loading: Loading) { stage.say("loaded") }
    func present(_ error: PresentedError) {
        switch error.kind {
        case .network: stage.say("network error: \(error.error.code.category == .timeout ? "It takes too long." : "It failed.")")
        case .data: stage.say("data error: \(error.message)")
        }
    }
}
// end of call site

/// QSPNetworkingConfig and the condition of success.
// call site: QSP configure
@MainActor
func configureNetworking(_ server: String, _ hud: HUDPresenter) -> Client {
    Client(transport: .urlSession, services: [Service("map", host: Hosts("\(server)/seeds"))]) {
        $0.timeout = .seconds(15)
        $0.headers["request-type"] = "ios"
        $0.acceptableContentTypes = .lenientJSON
        $0.envelope = Envelope(success: { $0["status"] == 1 }, message: "message", payload: "data")
        $0.presenter = hud
    }
}
// end of call site

@MainActor
final class MapScreen: LifetimeOwner {
    nonisolated let lifetime = Lifetime()
    let stage: Stage
    init(_ stage: Stage) { self.stage = stage }

    func findAddress(_ client: Client, _ location: String) {
        // call site: QSP geocoder
        client.start(.get("/regeo", ["location": location], as: JSON.self), owner: self) { screen, result in
            if case .success(let place) = result { screen.stage.say("address: \(place["address"].string ?? "")") }
        }
        // end of call site
    }

    /// Something that takes longer than the screen, or than `limit`.
    func askSomethingSlow(_ client: Client, limit: TimeLimit = .seconds(15)) {
        client.start(.get("/slow", as: JSON.self), owner: self) { [stage] in
            $0.timeout = limit
            $0.observers = [
                .closure { event in
                    if case .cancelled = event.kind { Task { @MainActor in stage.say("ended on the wire: \(event.endpoint)") } }
                }
            ]
        } landed: { screen, _ in
            screen.stage.say("landed on a screen")
        }
    }
}

@main
struct QSP {
    static func main() async { await Stage.run(fly) }

    @MainActor static func fly() async throws {
        let stage = Stage()
        let client = configureNetworking(Stage.server, HUDPresenter(stage))

        // 场景一：查一个地址
        let screen = MapScreen(stage)
        screen.findAddress(client, "116.48,39.99")
        await stage.heard("address: ")

        // 场景二：服务器说没有这个地方，提示用服务器的话
        screen.findAddress(client, "nowhere")
        await stage.heard("data error: There is no such place.")

        // 场景三：超时，提示一次
        screen.askSomethingSlow(client, limit: .milliseconds(100))
        await stage.heard("network error: It takes too long.")
        await stage.heard("landed on a screen")
        let before = stage.lines.count

        // A screen that is left right after calling: pushed, and popped.
        // 场景四：发出请求就离开页面，请求断开，没有回调也没有提示
        MapScreen(stage).askSomethingSlow(client)
        await stage.heard("ended on the wire: GET /slow")
        await client.shutdown()
        let after = stage.lines.dropFirst(before)
        try expect(!after.contains { $0.hasPrefix("landed on") }, "silence on a screen that was left")
        try expect(!after.contains { $0.hasPrefix("network error") }, "no prompt for a cancelled call")
    }
}
