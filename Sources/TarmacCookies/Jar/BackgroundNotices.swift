/// The notifications after which a system may suspend or end an app without another word (pure).
///
/// They are named by their texts, so that the room needs none of the user interface frameworks.
enum BackgroundNotices {
    /// Apps of iOS, tvOS and visionOS; extensions; apps of watchOS; apps of macOS, which end without going to the
    /// background.
    static let names = [
        "UIApplicationDidEnterBackgroundNotification", "UIApplicationWillTerminateNotification", "NSExtensionHostDidEnterBackgroundNotification",
        "WKApplicationDidEnterBackgroundNotification", "NSApplicationWillTerminateNotification",
    ]
}
