/// The product's version.
package enum ProductVersion {
    /// As in CHANGELOG.md.
    package static let current = "0.1.0"
}
