/// The product's version.
public enum ProductVersion {
    /// As in CHANGELOG.md.
    public static let current = "0.1.0"
}
