//! The serializer behind the canonical writer. It writes straight into the output; a map whose
//! entries do not come sorted is put in order in place when it ends.

use serde::ser::{self, Serialize};

use super::error::CanonError;
use super::escape;

/// Readers, `serde_json` among them, stop at this depth.
const MAX_DEPTH: u8 = 127;

type Done = Result<(), CanonError>;

/// Writes one value.
pub(super) struct Writer<'a> {
    out: &'a mut Vec<u8>,
    depth: u8,
}

impl<'a> Writer<'a> {
    pub(super) const fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out, depth: 0 }
    }

    fn integer(self, value: impl Into<i128>) -> Done {
        let value: i128 = value.into();
        if value < i128::from(i64::MIN) || value > i128::from(u64::MAX) {
            return Err(CanonError::Integer);
        }
        self.out.extend_from_slice(value.to_string().as_bytes());
        Ok(())
    }

    fn open(self, bracket: u8, close: &'static [u8]) -> Result<Items<'a>, CanonError> {
        if self.depth >= MAX_DEPTH {
            return Err(CanonError::Depth);
        }
        self.out.push(bracket);
        Ok(Items {
            out: self.out,
            depth: self.depth + 1,
            close,
            first: true,
        })
    }

    /// Opens the object around a variant's content: `{"Name":` and the bracket of the content.
    fn variant(
        self,
        name: &str,
        bracket: u8,
        close: &'static [u8],
    ) -> Result<Items<'a>, CanonError> {
        if self.depth + 1 >= MAX_DEPTH {
            return Err(CanonError::Depth);
        }
        self.out.push(b'{');
        escape::string(self.out, name);
        self.out.extend_from_slice(&[b':', bracket]);
        Ok(Items {
            out: self.out,
            depth: self.depth + 2,
            close,
            first: true,
        })
    }
}

/// The items of an array or the fields of a struct, in the order given.
pub(super) struct Items<'a> {
    out: &'a mut Vec<u8>,
    depth: u8,
    close: &'static [u8],
    first: bool,
}

impl Items<'_> {
    fn comma(&mut self) {
        if !self.first {
            self.out.push(b',');
        }
        self.first = false;
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        self.comma();
        value.serialize(Writer {
            out: self.out,
            depth: self.depth,
        })
    }

    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Done {
        self.comma();
        escape::string(self.out, name);
        self.out.push(b':');
        value.serialize(Writer {
            out: self.out,
            depth: self.depth,
        })
    }

    fn finish(self) -> Done {
        self.out.extend_from_slice(self.close);
        Ok(())
    }
}

/// The entries of a map, sorted when it ends.
pub(super) struct Entries<'a> {
    out: &'a mut Vec<u8>,
    depth: u8,
    /// Key and end of each entry in `out`; an entry starts where the one before it ended.
    entries: Vec<(String, usize)>,
    start: usize,
    sorted: bool,
}

impl Entries<'_> {
    fn finish(mut self) -> Done {
        if !self.sorted {
            self.sort()?;
        }
        // Each entry was written with a comma behind it.
        if self.entries.is_empty() {
            self.out.push(b'}');
        } else if let Some(last) = self.out.last_mut() {
            *last = b'}';
        }
        Ok(())
    }

    fn sort(&mut self) -> Done {
        let mut from = self.start;
        let mut parts = Vec::with_capacity(self.entries.len());
        for (key, end) in std::mem::take(&mut self.entries) {
            parts.push((key, from..end));
            from = end;
        }
        parts.sort_by(|a, b| a.0.cmp(&b.0));
        if parts.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err(CanonError::DuplicateKey);
        }
        let mut ordered = Vec::with_capacity(self.out.len() - self.start);
        for (key, range) in parts {
            ordered.extend_from_slice(self.out.get(range).unwrap_or_default());
            self.entries.push((key, 0));
        }
        self.out.truncate(self.start);
        self.out.extend_from_slice(&ordered);
        Ok(())
    }
}

impl ser::SerializeMap for Entries<'_> {
    type Ok = ();
    type Error = CanonError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Done {
        let key = key.serialize(Key)?;
        escape::string(self.out, &key);
        self.out.push(b':');
        if let Some((before, _)) = self.entries.last()
            && *before >= key
        {
            self.sorted = false;
        }
        self.entries.push((key, 0));
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        value.serialize(Writer {
            out: self.out,
            depth: self.depth,
        })?;
        self.out.push(b',');
        if let Some((_, end)) = self.entries.last_mut() {
            *end = self.out.len();
        }
        Ok(())
    }

    fn end(self) -> Done {
        self.finish()
    }
}

macro_rules! items {
    ($trait:ident, $method:ident) => {
        impl ser::$trait for Items<'_> {
            type Ok = ();
            type Error = CanonError;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
                self.item(value)
            }

            fn end(self) -> Done {
                self.finish()
            }
        }
    };
}

macro_rules! fields {
    ($trait:ident) => {
        impl ser::$trait for Items<'_> {
            type Ok = ();
            type Error = CanonError;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Done {
                self.field(name, value)
            }

            fn end(self) -> Done {
                self.finish()
            }
        }
    };
}

items!(SerializeSeq, serialize_element);
items!(SerializeTuple, serialize_element);
items!(SerializeTupleStruct, serialize_field);
items!(SerializeTupleVariant, serialize_field);
fields!(SerializeStruct);
fields!(SerializeStructVariant);

macro_rules! integers {
    ($($method:ident: $type:ty),*) => {$(
        fn $method(self, value: $type) -> Done {
            self.integer(value)
        }
    )*};
}

impl<'a> ser::Serializer for Writer<'a> {
    type Ok = ();
    type Error = CanonError;
    type SerializeSeq = Items<'a>;
    type SerializeTuple = Items<'a>;
    type SerializeTupleStruct = Items<'a>;
    type SerializeTupleVariant = Items<'a>;
    type SerializeMap = Entries<'a>;
    type SerializeStruct = Items<'a>;
    type SerializeStructVariant = Items<'a>;

    integers!(serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_i128: i128, serialize_u8: u8, serialize_u16: u16, serialize_u32: u32,
        serialize_u64: u64);

    fn serialize_u128(self, value: u128) -> Done {
        let value = i128::try_from(value).map_err(|_| CanonError::Integer)?;
        self.integer(value)
    }

    fn serialize_bool(self, value: bool) -> Done {
        let text: &[u8] = if value { b"true" } else { b"false" };
        self.out.extend_from_slice(text);
        Ok(())
    }

    fn serialize_f32(self, _: f32) -> Done {
        Err(CanonError::Float)
    }

    fn serialize_f64(self, _: f64) -> Done {
        Err(CanonError::Float)
    }

    fn serialize_char(self, value: char) -> Done {
        escape::string(self.out, value.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    fn serialize_str(self, value: &str) -> Done {
        escape::string(self.out, value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Done {
        self.collect_seq(value)
    }

    fn serialize_none(self) -> Done {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Done {
        self.out.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Done {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Done {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Done {
        let mut object = self.open(b'{', b"}")?;
        object.field(variant, value)?;
        object.finish()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'a>, CanonError> {
        self.open(b'[', b"]")
    }

    fn serialize_tuple(self, _: usize) -> Result<Items<'a>, CanonError> {
        self.open(b'[', b"]")
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items<'a>, CanonError> {
        self.open(b'[', b"]")
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items<'a>, CanonError> {
        self.variant(variant, b'[', b"]}")
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Entries<'a>, CanonError> {
        if self.depth >= MAX_DEPTH {
            return Err(CanonError::Depth);
        }
        self.out.push(b'{');
        Ok(Entries {
            start: self.out.len(),
            out: self.out,
            depth: self.depth + 1,
            entries: Vec::new(),
            sorted: true,
        })
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Items<'a>, CanonError> {
        // The name under which `serde_json` smuggles ready-made JSON through a serializer.
        if name == "$serde_json::private::RawValue" {
            return Err(CanonError::Raw);
        }
        self.open(b'{', b"}")
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items<'a>, CanonError> {
        self.variant(variant, b'{', b"}}")
    }
}

/// Reads a map key as the string that JSON needs.
struct Key;

macro_rules! display_keys {
    ($($method:ident: $type:ty),*) => {$(
        fn $method(self, value: $type) -> Result<String, CanonError> {
            Ok(value.to_string())
        }
    )*};
}

type Never = ser::Impossible<String, CanonError>;

impl ser::Serializer for Key {
    type Ok = String;
    type Error = CanonError;
    type SerializeSeq = Never;
    type SerializeTuple = Never;
    type SerializeTupleStruct = Never;
    type SerializeTupleVariant = Never;
    type SerializeMap = Never;
    type SerializeStruct = Never;
    type SerializeStructVariant = Never;

    display_keys!(serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32,
        serialize_i64: i64, serialize_u8: u8, serialize_u16: u16, serialize_u32: u32,
        serialize_u64: u64, serialize_char: char, serialize_str: &str);

    fn serialize_f32(self, _: f32) -> Result<String, CanonError> {
        Err(CanonError::Float)
    }

    fn serialize_f64(self, _: f64) -> Result<String, CanonError> {
        Err(CanonError::Float)
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<String, CanonError> {
        Err(CanonError::Key)
    }

    fn serialize_none(self) -> Result<String, CanonError> {
        Err(CanonError::Key)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<String, CanonError> {
        Err(CanonError::Key)
    }

    fn serialize_unit(self) -> Result<String, CanonError> {
        Err(CanonError::Key)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<String, CanonError> {
        Err(CanonError::Key)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<String, CanonError> {
        Ok(variant.to_owned())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<String, CanonError> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<String, CanonError> {
        Err(CanonError::Key)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Never, CanonError> {
        Err(CanonError::Key)
    }

    fn serialize_tuple(self, _: usize) -> Result<Never, CanonError> {
        Err(CanonError::Key)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Never, CanonError> {
        Err(CanonError::Key)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Never, CanonError> {
        Err(CanonError::Key)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Never, CanonError> {
        Err(CanonError::Key)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Never, CanonError> {
        Err(CanonError::Key)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Never, CanonError> {
        Err(CanonError::Key)
    }
}
