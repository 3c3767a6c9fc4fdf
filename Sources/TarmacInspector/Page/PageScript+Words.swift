#if Inspector
extension PageScript {
    /// The words of the page in English and Chinese.
    static let words = #"""
        const WORDS = {
          en: { time: "Time", method: "Method", host: "Host", path: "Path", status: "Status", duration: "Duration", size: "Size", attempts: "×", lane: "Timeline",
            search: "Search   /", allMethods: "All methods", allHosts: "All hosts", pause: "Pause", resume: "Resume", clear: "Clear", har: "HAR",
            other: "中文", live: "live", lost: "no connection", file: "file", calls: "{0} calls", some: "{0} of {1} calls", empty: "No calls yet. They appear here while they happen.",
            nothing: "No call matches.", close: "Close", resend: "Resend", curl: "Copy as cURL", copied: "Copied", compare: "Compare", compareWith: "Compare with #{0}",
            marked: "Open another call and press “Compare with #{0}”.", difference: "Call #{0} and call #{1}", resent: "Sent again: {0}", leftOut: "; without the masked fields {0}",
            overview: "Overview", attemptsTab: "Attempts", request: "Request", response: "Response", events: "Events", settings: "Settings",
            flying: "flying", landed: "landed", failed: "failed", cancelled: "cancelled", cache: "cache", ok: "2xx", redirect: "3xx", client: "4xx", server: "5xx/failed",
            url: "URL", endpoint: "Endpoint", service: "Service", source: "Source", started: "Started", tags: "Tags", owner: "Owner", yes: "yes", no: "no", version: "Version",
            remote: "Remote address", reused: "Connection reused", sent: "Bytes sent", received: "Bytes received", headers: "Header fields", body: "Body",
            noBody: "No body.", notKept: "The log does not show this body: {0}", cut: "The log has the beginning of this body.", bytes: "{0} bytes", attempt: "Attempt {0}",
            noEvents: "Nothing happened besides the requests.", noRequest: "No request was sent.", noResponse: "No response.", noSettings: "The inspector was given no client, or the client does not list this service.",
            origin: "Layer", value: "Value", hidden: "Hides", environment: "Environment",
            exposed: "Other machines can reach this page over plain HTTP, because: {0}", tooLong: "… {0} more characters", less: "less",
            resentPlain: "a plain request of the service, without the endpoint and the settings of the first call", injected: "inspector: {0}",
            queued: "Queued", nameResolution: "Name", connect: "Connect", tls: "TLS", send: "Send", wait: "Wait", receive: "Receive", total: "Total", same: "The calls are the same.",
            resendTo: "Send {0} to {1}?", sending: "Sending…", fold: "Fold or unfold", services: "Services", faultsNow: "Not as usual: {0}", usualHost: "Usual host",
            noFault: "No fault", faultDelay: "{0} ms later", faultStatus: "Fails with {0}", offline: "Offline", answerWith: "Answer with…", contentType: "Content type", save: "Answer", endAnswer: "Back to the server",
            answered: "{0} answered by this page", noServices: "No calls yet, so no services." },
          zh: { time: "时间", method: "方法", host: "主机", path: "路径", status: "状态", duration: "耗时", size: "大小", attempts: "×", lane: "时间轴",
            search: "搜索   /", allMethods: "全部方法", allHosts: "全部主机", pause: "暂停", resume: "继续", clear: "清空", har: "HAR",
            other: "English", live: "实时", lost: "连接已断开", file: "文件", calls: "{0} 次调用", some: "{0} / {1} 次调用", empty: "还没有调用。调用发生时会显示在这里。",
            nothing: "没有匹配的调用。", close: "关闭", resend: "重新发送", curl: "复制为 cURL", copied: "已复制", compare: "对比", compareWith: "与 #{0} 对比",
            marked: "打开另一个调用，再点击“与 #{0} 对比”。", difference: "调用 #{0} 与调用 #{1}", resent: "已重新发送：{0}", leftOut: "；未包含已脱敏的字段：{0}",
            overview: "概览", attemptsTab: "尝试", request: "请求", response: "响应", events: "事件", settings: "设置",
            flying: "进行中", landed: "成功", failed: "失败", cancelled: "已取消", cache: "缓存", ok: "2xx", redirect: "3xx", client: "4xx", server: "5xx/失败",
            url: "URL", endpoint: "接口", service: "服务", source: "来源", started: "开始时间", tags: "标签", owner: "所有者", yes: "是", no: "否", version: "版本",
            remote: "远端地址", reused: "复用连接", sent: "发送字节数", received: "接收字节数", headers: "头部字段", body: "消息体",
            noBody: "没有消息体。", notKept: "日志不显示此消息体：{0}", cut: "日志只保留了此消息体的开头。", bytes: "{0} 字节", attempt: "第 {0} 次尝试",
            noEvents: "除请求外没有其他事件。", noRequest: "没有发送请求。", noResponse: "没有响应。", noSettings: "没有为调用查看器指定客户端，或客户端没有列出此服务。",
            origin: "层", value: "值", hidden: "被覆盖的值", environment: "环境",
            exposed: "其他机器可以通过明文 HTTP 访问此页面，原因：{0}", tooLong: "… 还有 {0} 个字符", less: "收起",
            resentPlain: "以该服务的普通请求发送，不带原调用的接口和设置", injected: "查看器：{0}",
            queued: "排队", nameResolution: "域名解析", connect: "连接", tls: "TLS", send: "发送", wait: "等待", receive: "接收", total: "合计", same: "两次调用相同。",
            resendTo: "向 {1} 发送 {0} 请求？", sending: "正在发送…", fold: "折叠或展开", services: "服务", faultsNow: "已改动：{0}", usualHost: "默认主机",
            noFault: "无故障", faultDelay: "延迟 {0} 毫秒", faultStatus: "返回 {0}", offline: "离线", answerWith: "自定义响应…", contentType: "内容类型", save: "使用此响应", endAnswer: "恢复服务器响应",
            answered: "{0} 由此页面响应", noServices: "还没有调用。有调用之后，服务会列在这里。" },
        };
        let language = (navigator.language || "en").toLowerCase().startsWith("zh") ? "zh" : "en";
        try { const kept = sessionStorage.getItem("tarmac-language"); if (WORDS[kept]) language = kept; } catch { }
        function fill(text, values) {
          values.forEach((value, place) => { text = text.split("{" + place + "}").join(String(value)); });
          return text;
        }
        function word(name, ...values) { return fill(WORDS[language][name] ?? name, values); }

        """#
}
#endif
