/// A chart that can be read without its table.
protocol Chart {
    /// The file's name without its extension, such as "memory-368".
    var name: String { get }
    var svg: String { get }
}
