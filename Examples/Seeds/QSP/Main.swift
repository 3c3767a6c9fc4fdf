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
    func loadingBegan(_ loading: Loading) { show("loading …", on: loading.host) }
    func loadingEnded(_ loading: Loading) { show("loaded", on: loading.host) }
    func present(_ error: PresentedError) {
        let body = error.error.response?.body ?? .empty
        switch error.kind {
        case .network: show("network error: \(error.error.code.category == .timeout ? "It takes too long." : "It failed.")", on: error.host)
        case .data where body.isEmpty || (try? JSON(parsing: body))?.isNull == true: show("no data", on: error.host)
        case .data: show("data error: \(error.message)", on: error.host)
        }
    }
    @MainActor private func show(_ text: String, on host: AnyObject?) { stage.say("\((host as? MapScreen)?.name ?? "app"): \(text)") }
}
// end of call site

/// QSPNetworkingConfig and the condition of success.
// call site: QSP configure
@MainActor
func configureNetworking(_ server: String, _ hud: HUDPresenter) -> Client {
    Client(transport: .urlSession, services: [Service("map", host: "\(server)/seeds")]) {
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
    let name: String
    init(_ stage: Stage, name: String = "map") { (self.stage, self.name) = (stage, name) }

    func findAddress(_ client: Client, _ location: String) {
        // call site: QSP geocoder
        client.start(.get("/regeo", ["location": location], as: JSON.self), owner: self) { screen, result in
            if case .success(let place) = result { screen.stage.say("address: \(place["address"].string ?? "")") }
        }
        // end of call site
    }

    /// Something that takes longer than the screen, or than `limit`.
    func askSomethingSlow(_ client: Client, limit: TimeLimit = .seconds(15)) {
        client.start(.get("\(Stage.server)/stream", ["lines": 30, "ms": 1000], as: String.self), owner: self) { [stage] in
            $0.timeout = limit
            $0.observers = [
                .closure { event in
                    switch event.kind {
                    // The head has come: the server has the request and works on its answer.
                    case .responseStarted: Task { @MainActor in stage.say("the server answers") }
                    case .cancelled: Task { @MainActor in stage.say("ended on the wire") }
                    default: break
                    }
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

        // 场景一：查询一个地址
        let screen = MapScreen(stage)
        screen.findAddress(client, "116.48,39.99")
        await stage.heard("address: ")
        try expect(stage.lines == ["map: loading …", "map: loaded", "address: Runway 116, gate 39"], "the HUD on the screen of the call")

        // 场景二：服务器返回“没有这个地点”时，显示服务器的提示；没有返回数据时，提示无数据
        screen.findAddress(client, "nowhere")
        await stage.heard("map: data error: There is no such place.")
        screen.findAddress(client, "")
        await stage.heard("map: no data")

        // 场景三：超时，只提示一次
        screen.askSomethingSlow(client, limit: .milliseconds(100))
        await stage.heard("landed on a screen")
        try expect(stage.lines.filter { $0 == "map: network error: It takes too long." }.count == 1, "one prompt for one time limit")
        let before = stage.lines.count

        // A screen that is left while the server answers: pushed, and popped.
        // 场景四：服务器正在响应时离开页面，请求断开，没有回调也没有提示
        var pushed: MapScreen? = MapScreen(stage, name: "pushed")
        pushed?.askSomethingSlow(client)
        await stage.heard("the server answers", after: before)
        try expect(!stage.lines.dropFirst(before).contains("ended on the wire"), "a request that flies as long as its screen is there")
        pushed = nil
        await stage.heard("ended on the wire", after: before)
        await client.shutdown()
        let after = stage.lines.dropFirst(before)
        try expect(!after.contains { $0.hasPrefix("landed on") }, "silence on a screen that was left")
        try expect(!after.contains { $0.contains("error") }, "no prompt for a cancelled call")
    }
}
