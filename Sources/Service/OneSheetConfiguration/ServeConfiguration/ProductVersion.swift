/// The version of the product (<https://semver.org/>): of the program, its packages, documents and requests to sources.
package enum ProductVersion {
    /// MAJOR.MINOR.PATCH. `scripts/version.sh` reads this line.
    package static let current = "1.0.0"
}
