#if Tools
extension Sentence {
    /// The sentence in both languages, with `{0}`, `{1}`, … for values. Terms are those of `Documentation/Reference/Glossary.md`.
    var texts: (english: String, chinese: String) {
        switch self {
        case .departures: ("TARMAC · DEPARTURES", "TARMAC · 航班动态")
        case .flight: ("FLIGHT", "航班")
        case .call: ("CALL", "调用")
        case .status: ("STATUS", "状态")
        case .time: ("TIME", "耗时")
        case .landed: ("LANDED", "成功返回")
        case .returned: ("RETURNED", "返回错误")
        case .silent: ("SILENT", "未回调")
        case .grounded: ("GROUNDED", "未发送")

        case .oneLine: ("A call in one line", "一行代码完成一次调用")
        case .endpoint: ("An endpoint: a call described once", "接口（endpoint）：调用只需描述一次")
        case .explain: ("Explain: which layer decided what", "explain：每项设置由哪一层决定")
        case .leaving: ("Leaving the screen while a call is in the air", "请求进行中离开页面")
        case .failure: ("An error that carries the server's own words", "错误中带有服务器返回的说明")
        case .environments: ("Two services in two environments", "两个服务，两套环境")
        case .doubleTap: ("A double tap on the login button", "连点两次登录按钮")
        case .together: ("A batch and a graph under one indicator", "批量与依赖图共用一个加载指示器")
        case .thousand: ("A thousand calls at once", "同时发出一千次调用")
        case .geocoder: ("QSPNetworking: one condition, one prompt", "QSPNetworking：一个成功条件，一处提示")
        case .login: ("BQRequest: login and automatic login", "BQRequest：登录与自动登录")
        case .register: ("YTKNetwork: register, then the user", "YTKNetwork：先注册，再获取用户")
        case .kept: ("YTKNetwork: kept for three minutes", "YTKNetwork：缓存三分钟")
        case .video: ("YTKNetwork: a download that breaks off", "YTKNetwork：下载中断后续传")
        case .suggest: ("XFNetwork: a batch that hides nothing", "XFNetwork：批量请求，结果一个不漏")
        case .photo: ("XFNetwork: down, and up again", "XFNetwork：下载后再上传")
        case .products: ("LMNetwork: no model, typed keys", "LMNetwork：不建模型，用带类型的键取值")

        case .user: ("User {0} is {1}.", "用户 {0} 是 {1}。")
        case .landedUser: ("{0}, status {1}, attempts: {2}.", "{0}，状态码 {1}，尝试次数 {2}。")
        case .ownerGone:
            ("The owner is gone: the request is cancelled on the wire, and no callback runs.", "所有者已释放：请求真正中断，没有任何回调。")
        case .places: ("{0}.", "响应来自：{0}。")
        case .place: ("{0} in {1}", "{0}（{1}）")
        case .taps: ("Taps: {0}, requests: {1}, landings: {2}, token {3}.", "点击 {0} 次，请求 {1} 个，成功返回 {2} 次，token 为 {3}。")
        case .indicators: ("Calls: {0}, indicators: {1}, names: {2}.", "调用 {0} 次，加载指示器 {1} 个，结果：{2}。")
        case .landedOf: ("{0} of {1} landed, {2} a second.", "{1} 次调用中有 {0} 次成功返回，每秒 {2} 次。")
        case .debugBuild:
            (
                "This is a debug build: the calls take about five times the processor time of a release build.",
                "这是 debug 构建：调用占用的 CPU 时间约为 release 构建的五倍。"
            )
        case .debugServer: ("The server runs in the same program and is not optimized either.", "服务器与调用在同一个程序里，同样没有优化。")
        case .releaseFigures: ("Figures of release builds: Documentation/Performance.md", "release 构建的数据：Documentation/Performance.md（英文）")
        case .address: ("{0}.", "地址：{0}。")
        case .prompt: ("{0}: {1}", "提示（{0}）：{1}")
        case .oneHandling: ("One type for both; one handling: {0}.", "两处共用一个类型、一套处理，token 为 {0}。")
        case .twoTokens: ("One type for both; two tokens: {0}.", "两处共用一个类型，但 token 不同：{0}。")
        case .sources: ("From the {0}, then the {1}.", "第一次来自{0}，第二次来自{1}。")
        case .network: ("network", "网络")
        case .cache: ("cache", "缓存")
        case .rest: ("The rest came by Range, with {0}: {1} bytes of {2}.", "剩余部分通过 Range 续传，状态码 {0}；{2} 共 {1} 字节。")
        case .words: ("{0}.", "各次结果：{0}。")
        case .cancelled: ("cancelled", "已取消")
        case .part: ("{0}, {1}, {2} bytes.", "服务器收到 {0}，类型 {1}，共 {2} 字节。")
        case .versions: ("Versions {0}.", "版本：{0}。")

        case .twice: ("twice", "两次")
        case .twoScreens: ("from two screens", "来自两个页面")

        case .comma: (", ", "、")
        case .semicolon: ("; ", "；")
        case .or: (" or ", " 或 ")
        case .and: (" and ", " 和 ")

        case .page: ("The calls in the browser: {0}", "在浏览器中查看调用：{0}")
        case .pageUntilInterrupt: ("The calls in the browser, until Ctrl-C: {0}", "在浏览器中查看调用（按 Ctrl-C 结束）：{0}")
        case .next: ("Where to go next", "接下来可以看")
        case .nextPages: ("ten short pages, each with a program", "入门教程共十篇，每篇一个程序，从这一篇开始")
        case .nextOldLayers: ("from Alamofire, Moya, YTKNetwork and other layers", "从 YTKNetwork、Alamofire、Moya 等网络层迁移")
        case .nextArchitecture: ("the way of one call through Tarmac", "一次调用在 Tarmac 中的流程（英文）")
        case .nextSource: ("the code of this tour", "本次演示的源代码")
        case .tries: ("Commands to try", "可以试试的命令")
        case .tryInspect: ("the calls of this tour in the browser", "在浏览器中查看演示中的调用")
        case .tryStop: ("one stop alone", "只演示其中一项")
        case .tryServe: ("the server of this tour, on port 8080", "在 8080 端口启动演示用的服务器")
        case .tryGet: ("a call to it, from another terminal", "在另一个终端调用它")
        case .noStop: ("There is no stop {0}. The stops are:", "没有 {0} 这一项。可选的有：")
        }
    }
}
#endif
