#if Inspector
extension PageScript {
    /// The server's reasons in Chinese, by their codes. The server writes them in English.
    static let reasons = #"""
        const REASONS = {
          otherHost: "Host 字段不是此服务器的地址", wrongToken: "缺少 token，或 token 不正确：请打开程序启动时输出的 URL", noPath: "此路径不存在", otherMethod: "此路径只接受 {0}",
          otherPage: "请求来自其他页面（Origin 字段不符）", notJSON: "消息体必须是 JSON", noLength: "缺少消息体的长度", tooLong: "消息体过长", brokenBody: "消息体未传输完整", brokenHead: "请求不是 HTTP/1.1 请求", longHead: "请求行与字段超过 {0} 字节",
          tooManyPages: "已打开 {0} 个页面，达到上限", gone: "此调用已不在日志中", unknownService: "客户端没有列出服务 {0}；请在客户端的 services: [...] 中列出",
          unreadableOrder: "此路径不接受这样的消息体", isFile: "打开的是文件，不能清空", nothingToPause: "没有可以暂停的日志", noClient: "没有为调用查看器指定客户端，因此不能发送",
          unknownEnvironment: "没有为调用查看器指定此环境", noRequest: "此调用没有请求", secretInURL: "URL 中有日志不保留的敏感信息", incompleteURL: "日志中没有完整的 URL",
          secretInBody: "消息体中有日志不保留的敏感信息", incompleteBody: "日志中没有完整的消息体；要保留更多，请设置 bodies: .first(.mib(1))", otherOrigin: "{0} 不是此服务在当前环境中的主机",
          tookTooLong: "调用超过 {0}，已取消", noFaults: "未启用故障注入；请设置 $0.attemptInterceptors = [faults] 并传入 faults:", unknownFault: "没有这种故障",
          unusableAnswer: "状态码必须是 200 到 599 的数字，内容类型必须有效", tooManyAnswers: "已有 {0} 个自定义响应，达到上限",
          noHosts: "未启用主机切换；请设置 $0.interceptors = [hosts] 并传入 hosts:", unknownHost: "此服务在当前环境中没有主机 {0}",
        };

        """#
}
#endif
