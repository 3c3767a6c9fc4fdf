import HTTPTypes
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The languages of the messages that Tarmac has for the user of an app.
public enum UserMessageLanguage: String, Sendable, CaseIterable {
    case english = "en"
    case simplifiedChinese = "zh-Hans"
}

extension TarmacError {
    /// Whether a successful answer was `null` or empty in the place of the value.
    fileprivate var isAboutNoData: Bool {
        if code == .malformedJSON { return response?.body.isEmpty == true }
        guard code == .decodingFailed, case .valueNotFound(_, let context)? = cause as? DecodingError else { return false }
        return context.codingPath.isEmpty
    }
}

/// The texts of ``TarmacError/userMessage``.
package enum UserMessages {
    /// The message of a code whose category does not tell the user the right thing.
    package enum Exception: Sendable, Hashable {
        /// The message for a status of the server.
        case status(Int)
        case noSpace
        /// The message of the call that made this one fail.
        case cause
    }

    static let systemLanguage = language(of: Locale.current.identifier)

    static func language(of identifier: String) -> UserMessageLanguage {
        identifier.lowercased().hasPrefix("zh") ? .simplifiedChinese : .english
    }

    static func text(for error: TarmacError, language: UserMessageLanguage) -> String {
        // The message names the failure of the other call, not the call that could not run because of it.
        if error.code.message == .cause, let root = error.cause as? TarmacError { return root.userMessage(in: language) }
        let texts = texts(for: error)
        return language == .simplifiedChinese ? texts.chinese : texts.english
    }

    private static func texts(for error: TarmacError) -> (english: String, chinese: String) {
        if error.isAboutNoData { return ("There is no data.", "没有数据。") }
        switch error.code.message {
        case .status(let status): return rejection(status: status)
        case .noSpace: return ("There is not enough space left.", "存储空间不足。")
        // Without a cause it is a failure as any other.
        case .cause, nil: return texts(for: error.code.category, status: error.status?.code)
        }
    }

    private static func texts(for category: TarmacError.Category, status: Int?) -> (english: String, chinese: String) {
        switch category {
        case .connection: ("Cannot reach the server. Please check your connection.", "无法连接服务器，请检查网络。")
        case .tls: ("A secure connection could not be made.", "无法建立安全连接。")
        case .timeout: ("The server took too long to answer. Please try again.", "服务器响应超时，请重试。")
        case .rejected: rejection(status: status)
        case .message, .decoding, .redirect: ("The server sent an answer this app does not understand.", "服务器返回的数据有误。")
        case .input, .application: rejection(status: nil)
        }
    }

    private static func rejection(status: Int?) -> (english: String, chinese: String) {
        switch status {
        // The text also fits a failed login call, before which no user may have been signed in.
        case 401: ("You are not signed in. Please sign in and try again.", "未登录或登录已失效，请登录后再试。")
        case 403: ("You are not allowed to do this.", "没有权限进行此操作。")
        case 404, 410: ("This content does not exist.", "内容不存在。")
        case 429: ("Too many requests. Please try again later.", "操作过于频繁，请稍后再试。")
        case .some(500...599): ("The server has a problem. Please try again later.", "服务器出现问题，请稍后再试。")
        default: ("This did not work. Please try again later.", "操作失败，请稍后再试。")
        }
    }
}
