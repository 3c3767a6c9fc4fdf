#if Tools
import ArgumentParser
import Tarmac

/// The languages of the tour.
enum TourLanguage: String, ExpressibleByArgument, CaseIterable, Sendable {
    case english = "en"
    case chinese = "zh"

    /// The language of a terminal: POSIX takes the first of these variables that is set and not empty.
    init(environment: [String: String]) {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
        let locale = names.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        self = locale.lowercased().hasPrefix("zh") ? .chinese : .english
    }

    /// Lets the calls of a client ask for answers in this language.
    func configure(_ options: inout Options) { options.headers["Accept-Language"] = self == .chinese ? "zh-CN" : "en" }

    /// The language of Tarmac's own messages for users.
    var ofMessages: UserMessageLanguage { self == .chinese ? .simplifiedChinese : .english }
}
#endif
