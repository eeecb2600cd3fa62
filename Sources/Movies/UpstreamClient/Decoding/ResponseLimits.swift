/// Limits of a decoded response; the rest is ignored.
package enum ResponseLimits {
    /// The maximal length of a text in bytes of UTF-8, ten times the longest biographies and plots.
    package static let textBytes = 64 * 1024
    /// The maximal number of rows in a list; the longest page of any service has 500.
    package static let rows = 1000
    /// The maximal numbers of members of a cast and of a crew, and of a person's roles and jobs.
    package static let credits = 5000
}
