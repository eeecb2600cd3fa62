/// The limits of a decoded response; the rest is ignored.
package enum ResponseLimits {
    /// The longest text, in bytes of UTF-8. The longest biographies and plots take a tenth of it.
    package static let textBytes = 64 * 1024
    /// The most rows of a list. The longest page of any service has 500.
    package static let rows = 1000
    /// The most members of a cast, and of a crew; the most roles of a person, and the most jobs.
    package static let credits = 5000
    /// The longest name of a member, in bytes; a response with a longer one is unreadable.
    static let nameBytes = 128
}
