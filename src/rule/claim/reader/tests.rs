//! Probes of the reader.
